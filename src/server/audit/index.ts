export { type Actor, actorOf, fingerprint, nameActor } from './actor.js';
export { type Audit, openAudit } from './audit.js';
export { type AuditAction, type AuditEvent, actionOfCall, detailsOf, resultOfAct, viewerAct } from './events.js';
