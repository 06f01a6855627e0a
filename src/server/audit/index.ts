export { type Actor, actorOf, fingerprint, nameActor } from './actor.js';
export { type Audit, type AuditEvent, openAudit } from './audit.js';
export { type Act, actOfCall, detailsOf, viewerAct } from './events.js';
