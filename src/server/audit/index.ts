export { type Actor, actorOf, fingerprint, nameActor } from './actor.js';
export { type Audit, type AuditEvent, openAudit } from './audit.js';
export { type AuditAction, actionOfCall, detailsOf, resultOfAct, viewerAct } from './events.js';
