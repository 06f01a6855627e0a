import { encodeTextOf } from '../../../protocol/clipboard.js';
import { toHelper } from '../../../protocol/display-helper.js';
import type { Launch } from '../../../protocol/generated/schemas.js';
import { MessageType } from '../../../protocol/message-type.js';
import { TokenBucket } from '../../lib/token-bucket.js';
import { type Kind, maySee } from '../../model/index.js';
import type { Players } from '../players/players.js';
import type { AgentSide } from '../room-session.js';
import type { MessageHandlers } from '../viewer/messages.js';
import type { SessionInput } from './input.js';
import type { Pointers } from './pointers.js';

/** Rate limit for viewers' resets of the inactivity timeout that reach the agent. */
const KEEP_ALIVES = { perSecond: 1, burst: 3 };

export interface InputMessagesOptions {
  kind: Kind;
  launch: Launch;
  input: SessionInput;
  pointers: Pointers;
  /** Null if the session is not a console. */
  players: Players | null;
  agent: Pick<AgentSide, 'call' | 'keepAlive'>;
}

/** Handles what viewers do in the session. */
export function inputMessages({
  kind,
  launch,
  input,
  pointers,
  players,
  agent,
}: InputMessagesOptions): Pick<MessageHandlers, 'input' | 'pad' | 'paste' | 'swipe' | 'keepAlive' | 'touch'> {
  const gestures = kind.gestures(launch);
  const keepAlives = new TokenBucket(KEEP_ALIVES.perSecond, KEEP_ALIVES.burst);
  const keepAlive = () => {
    if (keepAlives.take(performance.now())) agent.keepAlive();
  };
  return {
    input(viewer, { event, bytes }) {
      if (event.type === 'touch' && !gestures.pinch) return;
      if (maySee(viewer.access)) pointers.noted(viewer, event);
      input.input(viewer, event, bytes);
    },
    pad: (viewer, { event, bytes }) => players?.pad(viewer, event, bytes),
    paste(viewer, { bytes: message }) {
      const { clipboardBytes, clipboardContent } = kind;
      const isContent = message[0] === MessageType.content;
      if (isContent && clipboardContent) return input.paste(viewer, message);
      const bytes = isContent ? encodeTextOf(message) : message;
      if (bytes.length <= toHelper.clipboard.bytes + clipboardBytes) return input.paste(viewer, bytes);
      const why = `This session's clipboard takes at most ${clipboardBytes} bytes.`;
      viewer.tell({ type: 'refused', code: 'clipboard_too_large', message: why });
    },
    /** Makes the agent go back or forward in the history. */
    swipe(viewer, { direction }) {
      if (!gestures.swipe || !input.takesPart(viewer)) return;
      agent.keepAlive();
      // Nobody waits for the result: if there is no history entry, nothing happens.
      void agent.call('swipe', [direction]).catch(() => undefined);
    },
    keepAlive,
    // The name that older pages have for it.
    touch: keepAlive,
  };
}
