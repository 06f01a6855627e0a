import type { FolderFile } from '../../../sdk/index.js';
import { say } from '../../../languages/page.js';

/** As many files of a folder as the session takes. */
const FILES_MAX = 5000;

const tooMany = () => new Error(say('folderTooLarge', { count: FILES_MAX }));

/** A folder of the user's machine. */
export interface Folder {
  readonly name: string;
  readonly files: readonly FolderFile[];
}

/** What can be sent to a session. */
export type Item = File | Folder;

export const isFolder = (item: Item): item is Folder => 'files' in item;

export const sizeOf = (item: Item) =>
  isFolder(item) ? item.files.reduce((sum, { file }) => sum + file.size, 0) : item.size;

/** The folder that was chosen in an input for folders; undefined if it has no files. */
export function chosenFolder(files: readonly File[]): Folder | undefined {
  const [name = ''] = files[0]?.webkitRelativePath.split('/') ?? [];
  if (name === '') return undefined;
  return { name, files: files.map(file => ({ path: file.webkitRelativePath.slice(name.length + 1), file })) };
}

/**
 * The files and folders of a drop. Must be called during its event, which alone can say what was dropped. Rejects with a
 * sentence if there are too many, or they cannot be read.
 */
export async function droppedItems(data: DataTransfer | null): Promise<Item[]> {
  const dropped = [...(data?.items ?? [])].map(item => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const items: Item[] = [];
  for (const { entry, file } of dropped) {
    if (entry?.isDirectory) items.push(await read(entry as FileSystemDirectoryEntry));
    else if (file !== null) items.push(file);
  }
  return items;
}

async function read(top: FileSystemDirectoryEntry): Promise<Folder> {
  const files: FolderFile[] = [];
  const folders: [path: string, folder: FileSystemDirectoryEntry][] = [['', top]];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const [path, folder] = next;
    for (const entry of await entriesOf(folder)) {
      if (entry.isDirectory) folders.push([`${path}${entry.name}/`, entry as FileSystemDirectoryEntry]);
      else files.push({ path: path + entry.name, file: await fileOf(entry as FileSystemFileEntry) });
      if (files.length + folders.length > FILES_MAX) throw tooMany();
    }
  }
  return { name: top.name, files };
}

/** The reader gives a part of them at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return entries;
    entries.push(...some);
    if (entries.length > FILES_MAX) throw tooMany();
  }
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));
