import { ENGLISH_TEXTS, type Sentence } from '../../languages/texts.js';

/** What the viewer's clipboard has; what it does not have is empty. */
export interface ViewerContent {
  readonly text: string;
  readonly html: string;
  /** A picture of any type that the browser can draw. */
  readonly picture: Blob | null;
}

/** Why nothing of it can be pasted. */
export class PasteRefusal extends Error {
  readonly sentence: Sentence;

  constructor(sentence: Sentence) {
    super(sentence(ENGLISH_TEXTS));
    this.sentence = sentence;
  }
}

/** What a paste event brings; null: the viewer's clipboard is empty. @throws PasteRefusal */
export function contentOfPaste(data: DataTransfer): ViewerContent | null {
  const [text, html] = [data.getData('text/plain'), data.getData('text/html')];
  const files = [...data.files];
  const [first, ...others] = files;
  if (first !== undefined && (others.length > 0 || !isPicture(first)))
    throw new PasteRefusal(({ say }) => say('filesNotPasted'));
  if (text === '' && html === '' && first === undefined) {
    if (data.types.length > 0) throw new PasteRefusal(({ say }) => say('clipboardUnknown'));
    return null;
  }
  return { text, html, picture: first ?? null };
}

/** Reads the viewer's clipboard, which may ask the viewer; null if it has nothing. @throws PasteRefusal if it is forbidden */
export async function readClipboard(): Promise<ViewerContent | null> {
  const clipboard = (navigator as { clipboard?: Clipboard }).clipboard;
  const items = await clipboard?.read().catch(() => undefined);
  if (items === undefined) throw new PasteRefusal(({ say }) => say('clipboardForbidden'));
  const read = async (type: string) => {
    const item = items.find(({ types }) => types.includes(type));
    return (await item?.getType(type).catch(() => null)) ?? null;
  };
  const textOf = async (type: string) => (await read(type))?.text() ?? '';
  const content = {
    text: await textOf('text/plain'),
    html: await textOf('text/html'),
    picture: await read('image/png'),
  };
  return content.text === '' && content.html === '' && content.picture === null ? null : content;
}

const isPicture = ({ type }: File) => type.startsWith('image/');
