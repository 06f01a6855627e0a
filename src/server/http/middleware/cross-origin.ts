import type { RequestHandler, Response } from 'express';

/** Lets pages of any origin read an answer. */
export function setCrossOrigin(response: Response): void {
  response.set({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
}

/** Pages of any origin may call; access depends on the token alone. */
export const crossOrigin: RequestHandler = (request, response, next) => {
  setCrossOrigin(response);
  if (request.method !== 'OPTIONS') return next();
  response.set({
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '600',
  });
  response.status(204).end();
};
