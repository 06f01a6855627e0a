export { type UpgradeOptions, Upgrades } from './join/upgrades.js';
export { Room, type RoomMetrics, type RoomOptions } from './room.js';
export type { AgentSide, Arrival, Attendance, RoomSession } from './room-session.js';
