import { openApiDocument } from '../../src/server/http/openapi/document.js';
import { packageVersion } from '../../src/server/lib/package-root.js';

/** The OpenAPI document of this version as a file, for generators and for those who review a change. */
export const openApiFile = (): string => `${JSON.stringify(openApiDocument(packageVersion()), null, 2)}\n`;
