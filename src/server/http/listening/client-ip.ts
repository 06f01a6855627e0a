import express, { type Express } from 'express';
import type { IncomingMessage } from 'node:http';

const ofExpress = Object.getOwnPropertyDescriptor(express.request, 'ip')?.get;

/** Finds the address that a request came from, as far as the app trusts proxies; for requests that no app handles. */
export function clientIp(app: Express): (request: IncomingMessage) => string {
  return request => {
    const seen: unknown = ofExpress?.call(Object.create(request, { app: { value: app } }));
    const address = typeof seen === 'string' ? seen : (request.socket.remoteAddress ?? '');
    // What comes over IPv4 to a socket that takes both is shown as IPv4.
    return address.replace(/^::ffff:(?=\d+\.)/i, '');
  };
}
