import type { Request, Response } from 'express';
import type { Act } from '../../audit/index.js';
import type { Session } from '../../model/index.js';
import { type Credential, CREDENTIALS, type Security, type ViewerNeed } from '../credentials/credential.js';
import type { Parts } from '../parts.js';
import type { Body } from './body.js';
import type { Description } from './description.js';

type NameIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NameIn<Rest> : never;

/** The parameters of a path, as `{name}` in it. */
export type Params<Path extends string> = Readonly<Record<NameIn<Path>, string>>;

/** What a handler is given: all of it is checked. */
export interface Given<Path extends string, C extends Credential, B, Q> {
  /** The live session that the credential is good for. */
  session: C extends 'none' | 'apiKey' ? null : Session;
  body: B;
  query: Q;
  request: Request<Params<Path>>;
  response: Response;
}

/** A place in schemas/ whose properties are the parameters of a query, and their type. */
export type Query<Q> = string & { readonly type?: Q };

/** Names the schema of a query and the type that is generated from it. */
export const query = <Q>(ref: string): Query<Q> => ref;

/** All that there is to say about an operation, and what carries it out. */
interface Declaration<Path extends string, C extends Credential, B, Q> extends Description {
  method: 'get' | 'post' | 'put' | 'delete';
  /** With `{name}` for each parameter. */
  path: Path;
  /** What a caller must show. */
  credential: C;
  /** Whether anybody may call, whatever `credential` says. */
  open?(parts: Parts): boolean;
  /** What a viewer must be allowed besides. */
  need?: C extends 'viewer' ? ViewerNeed : never;
  query?: Query<Q>;
  body?: Body<B>;
  /** What the audit log calls it; null: it is left out there. */
  audit: string | null | ((params: Params<Path>) => Act);
  /** Whether tools repeat it all the time: the log has it at level `debug`. */
  quiet?: boolean;
  /** What answers a request that has been let in and checked. */
  handle(parts: Parts): (given: Given<Path, C, B, Q>) => void | Promise<void>;
}

/** One operation of the interface. */
export interface Operation extends Omit<Declaration<string, Credential, unknown, unknown>, 'need'> {
  /** What `credential` stands for: each of them is enough; none: anybody may call. */
  security: readonly Security[];
  need?: ViewerNeed;
}

/** Declares an operation. What its handler is given follows from path, credential, body and query. */
export function operation<const Path extends string, C extends Credential, B = undefined, Q = undefined>(
  declaration: Declaration<Path, C, B, Q>,
): Operation {
  // A handler is only ever given what was read after its own declaration.
  return { ...declaration, security: CREDENTIALS[declaration.credential] } as unknown as Operation;
}
