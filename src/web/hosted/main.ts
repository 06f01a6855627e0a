/**
 * The module that the hosted service's web client loads from a session's `embed_url`: one file, whose default export
 * the client calls.
 */
import type { HostedOptions, TellClient } from './messages.js';
import { openModule, type HostedModule } from './module.js';

/** The source of src/web/media/audio/worklet.ts, put here by the bundler, since the client loads no second file. */
declare const AUDIO_WORKLET: string;

/** Shows a session. The client has loaded it from `url`, and takes messages by `tell`. */
export default function hosted(root: ShadowRoot, url: string, tell: TellClient, options: HostedOptions): HostedModule {
  const worklet = URL.createObjectURL(new Blob([AUDIO_WORKLET], { type: 'text/javascript' }));
  const { handleMessage, destroy } = openModule(root, url, tell, options, worklet);
  return {
    handleMessage,
    destroy: () => {
      URL.revokeObjectURL(worklet);
      destroy();
    },
  };
}
