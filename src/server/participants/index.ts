export { type UpgradeOptions, Upgrades } from './join/upgrades.js';
export { type AgentSide, Room, type RoomMetrics, type RoomOptions, type RoomSession } from './room.js';
