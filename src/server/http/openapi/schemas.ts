import { schemas } from '../../../protocol/generated/schemas.js';
import type { SchemaRef } from '../table/description.js';

type Json = { [key: string]: unknown };

/** Keywords of a schema that are not repeated in its component. */
const LEFT_OUT = new Set(['$id', '$schema', '$defs', 'tsType']);

/** The schemas that a document refers to, moved from the files in schemas/ to its components. */
export class Components {
  readonly #schemas = new Map<string, Json>();

  /** The schema as it appears in the document, with references to components. */
  use(ref: SchemaRef): Json {
    return typeof ref === 'string' ? this.#refer(ref) : (this.#rewrite(ref, '') as Json);
  }

  /** All components, by name. */
  get all(): Json {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #refer(ref: string): Json {
    const [file = '', pointer = ''] = ref.split('#');
    const schema = resolve(file, pointer);
    const name = String(schema['title'] ?? pascalCase(pointer.split('/').at(-1) ?? ''));
    if (!this.#schemas.has(name)) {
      this.#schemas.set(name, {});
      this.#schemas.set(name, this.#rewrite(schema, file) as Json);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #rewrite(value: unknown, file: string): unknown {
    if (Array.isArray(value)) return value.map(each => this.#rewrite(each, file));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
      if (LEFT_OUT.has(key)) return [];
      if (key === '$ref')
        return Object.entries(this.#refer(String(each).startsWith('#') ? `${file}${each}` : String(each)));
      return [[key, this.#rewrite(each, file)]];
    });
    return Object.fromEntries(entries);
  }
}

/** The schema at a place in schemas/. @throws if there is none */
export function resolve(file: string, pointer: string): Json {
  const steps = pointer.split('/').slice(1);
  const found = steps.reduce<unknown>((value, step) => (value as Json | undefined)?.[step], schemas[file]);
  if (typeof found !== 'object' || found === null) throw new Error(`schemas/${file} has nothing at "${pointer}".`);
  return found as Json;
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
