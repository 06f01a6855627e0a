export { createFleet } from './create.js';
export {
  type Endpoint,
  type Engine,
  EngineError,
  type EngineFailure,
  type Exit,
  type FoundContainer,
  type ImageInfo,
} from './engine.js';
export { Fleet, type FleetMember } from './fleet.js';
