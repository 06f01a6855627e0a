import type { Launch, Welcome } from '../../../protocol/generated/schemas.js';
import { kindOf } from '../../model/index.js';
import type { Viewer } from '../viewer/viewer.js';

/** The first message to a viewer. */
export function welcome({ userId, ticket }: Viewer, launch: Launch): Welcome {
  const { kind, display } = launch;
  return {
    type: 'welcome',
    user_id: userId,
    kind,
    hide_cursor: display.hide_cursor,
    touch_gestures: kindOf(kind).gestures(launch),
    ticket,
  };
}
