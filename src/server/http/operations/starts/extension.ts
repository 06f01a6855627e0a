import type { StartChromium } from '../../../../protocol/generated/schemas.js';
import type { Problem } from '../../../../protocol/validation.js';
import { ExtensionError, inspectExtension } from '../../../extensions/index.js';
import { HttpError } from '../../../model/index.js';

/** The checked extension in a start request; null if the request has none. @throws HttpError */
export async function extensionOf(
  { extension }: StartChromium,
  files: ReadonlyMap<string, Buffer>,
): Promise<Buffer | null> {
  const stray = [...files.keys()].find(name => name !== extension?.field);
  if (stray !== undefined)
    throw invalid({ path: '/extension/field', message: `must name the part "${stray.slice(0, 128)}"` });
  if (extension === undefined) return null;
  const archive = files.get(extension.field);
  if (archive === undefined) {
    throw invalid({
      path: '/extension/field',
      message: `names no part: send multipart/form-data with the JSON in "body" and the archive in "${extension.field}"`,
    });
  }
  try {
    return await inspectExtension(archive);
  } catch (error) {
    if (!(error instanceof ExtensionError)) throw error;
    throw new HttpError(error.failure, { details: [{ path: '/extension', message: error.message }] });
  }
}

const invalid = (problem: Problem) => new HttpError('invalid_body', { details: [problem] });
