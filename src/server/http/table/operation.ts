import type { Request, Response } from 'express';
import type { AuditAction } from '../../audit/index.js';
import type { Session } from '../../model/index.js';
import { type Credential, CREDENTIALS, type Security, type ViewerNeed } from '../credentials/credential.js';
import type { OperationContext } from '../context.js';
import type { Body } from './body.js';
import type { Description } from './description.js';

type NameIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NameIn<Rest> : never;

/** The parameters of a path, written `{name}`. */
export type Params<Path extends string> = Readonly<Record<NameIn<Path>, string>>;

/** The input of a handler, all of it validated. */
export interface HandlerInput<Path extends string, C extends Credential, B, Q> {
  /** The live session that the credential is valid for. */
  session: C extends 'none' | 'apiKey' ? null : Session;
  body: B;
  query: Q;
  request: Request<Params<Path>>;
  response: Response;
}

/** A place in schemas/ whose properties are the query parameters, and their type. */
export type Query<Q> = string & { readonly type?: Q };

/** Names the schema of a query and its generated type. */
export const query = <Q>(ref: string): Query<Q> => ref;

/** The declaration of an operation, and its handler. */
interface Declaration<Path extends string, C extends Credential, B, Q> extends Description {
  method: 'get' | 'post' | 'put' | 'delete';
  /** With `{name}` for each parameter. */
  path: Path;
  /** The credential that a caller needs. */
  credential: C;
  /** Whether no credential is needed, whatever `credential` says. */
  open?(context: OperationContext): boolean;
  /** The permission that a viewer needs in addition. */
  need?: C extends 'viewer' ? ViewerNeed : never;
  query?: Query<Q>;
  body?: Body<B>;
  /** Its name in the audit log; null: not recorded there. */
  audit: string | null | ((params: Params<Path>) => AuditAction);
  /** Whether tools poll it: it is logged at level `debug`. */
  quiet?: boolean;
  /** Handles an authenticated and validated request. */
  handle(context: OperationContext): (given: HandlerInput<Path, C, B, Q>) => void | Promise<void>;
}

/** One operation of the interface. */
export interface Operation extends Omit<Declaration<string, Credential, unknown, unknown>, 'need'> {
  /** The accepted credentials, any one of which suffices; empty: anybody may call. */
  security: readonly Security[];
  need?: ViewerNeed;
}

/** Whether unknown fields are ignored for clients that prefer it: of queries, and of bodies with a schema. */
export const honoursPrefer = ({ query, body }: Operation): boolean => query !== undefined || body?.lenient === true;

/** Declares an operation. The handler's argument types follow from path, credential, body and query. */
export function operation<const Path extends string, C extends Credential, B = undefined, Q = undefined>(
  declaration: Declaration<Path, C, B, Q>,
): Operation {
  // A handler only ever receives what was read according to its own declaration.
  return { ...declaration, security: CREDENTIALS[declaration.credential] } as unknown as Operation;
}
