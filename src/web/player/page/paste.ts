import { keysymOf } from '../../sdk/input/keysyms.js';
import type { Session } from '../../sdk/session.js';

/** Pastes the viewer's clipboard into the session, if the browser allows reading it. */
export async function pasteInto(session: Session): Promise<void> {
  const text = await navigator.clipboard.readText().catch(() => '');
  session.view.focus();
  if (text === '') return;
  session.input.setClipboard(text);
  const [control, v] = [keysymOf('Control', 1), keysymOf('v', 0)];
  if (control === null || v === null) return;
  session.input.send({ type: 'key', down: true, keysym: control });
  session.input.send({ type: 'key', down: true, keysym: v });
  session.input.send({ type: 'key', down: false, keysym: v });
  session.input.send({ type: 'key', down: false, keysym: control });
}
