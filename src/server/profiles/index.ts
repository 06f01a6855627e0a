export { createProfiles, type ProfileMetrics, Profiles } from './profiles.js';
