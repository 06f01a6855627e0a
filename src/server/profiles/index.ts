export { createProfiles } from './create.js';
export { type ProfileMetrics, Profiles } from './profiles.js';
