import type { ToAgent } from '../protocol/generated/schemas.js';
import { validator } from '../protocol/validation.js';

/** Makes the check of control messages; the first one is compiled at once, to be ready for launch. */
export function controlParser(): (text: string) => ToAgent | null {
  const validate = validator<ToAgent>('link.json#/$defs/to_agent', { allErrors: false });
  validate(null);
  return text => {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return null;
    }
    const result = validate(message);
    return result.ok ? result.value : null;
  };
}
