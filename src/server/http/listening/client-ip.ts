import express, { type Express } from 'express';
import type { IncomingMessage } from 'node:http';

const ofExpress = Object.getOwnPropertyDescriptor(express.request, 'ip')?.get;

/** Finds the address that a request came from, under the app's proxy trust; for requests that no app handles. */
export function clientIp(app: Express): (request: IncomingMessage) => string {
  return request => {
    const seen: unknown = ofExpress?.call(Object.create(request, { app: { value: app } }));
    const address = typeof seen === 'string' ? seen : (request.socket.remoteAddress ?? '');
    // IPv4 connections to a dual-stack socket appear as mapped IPv6.
    return address.replace(/^::ffff:(?=\d+\.)/i, '');
  };
}
