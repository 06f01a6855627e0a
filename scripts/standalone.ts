import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';

const standalone = standaloneModule as unknown as typeof standaloneModule.default;

/**
 * The source of an ES module whose default export validates one schema without Ajv, for programs that must not spend
 * start-up time on loading Ajv. `all` are the schemas that `ref` may refer to.
 */
export function standaloneValidator(all: readonly object[], ref: string): string {
  const ajv = new Ajv2020({
    discriminator: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    keywords: ['tsType'],
    // The sender has validated them.
    validateFormats: false,
    code: { source: true, esm: true },
  });
  for (const schema of all) ajv.addSchema(schema);
  const validate = ajv.getSchema(ref);
  if (!validate) throw new Error(`no schema ${ref}`);
  return withImports(standalone(ajv, validate));
}

/** Replaces calls of `require`, which Ajv also generates for ES modules, by imports: the source also runs unbundled. */
function withImports(source: string): string {
  const names = new Map<string, string>();
  const body = source.replaceAll(/require\("([^"]+)"\)/g, (_, path: string) => {
    const name = names.get(path) ?? `required${names.size}`;
    names.set(path, name);
    return name;
  });
  return [...names].map(([path, name]) => `import ${name} from "${path}.js";`).join('') + body;
}
