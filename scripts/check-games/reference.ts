import { readFile } from 'node:fs/promises';
import { readPng, type Picture } from './picture.js';
import { referenceOf, type Program } from './programs.js';

/** What a program is compared with. */
export interface Reference {
  /** Null if there is none, or it cannot be read. */
  readonly picture: Picture | null;
  /** Why it cannot be read. */
  readonly problem?: string;
}

/** The reference picture of a program in a folder. */
export async function readReference(program: Program, folder: string): Promise<Reference> {
  const path = await referenceOf(program, folder);
  if (path === null) return { picture: null };
  try {
    return { picture: readPng(await readFile(path)) };
  } catch (error) {
    return { picture: null, problem: `${path}: ${(error as Error).message}` };
  }
}
