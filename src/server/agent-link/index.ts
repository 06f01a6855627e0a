export { AgentCalls } from './agent-calls.js';
export { type AgentAddress, AgentRefusal } from './agent-connection.js';
export { AgentHttp } from './agent-http.js';
export type { AgentMedia, Copied, Layer, VideoFrame } from './from-agent.js';
export { Link } from './link.js';
export {
  type DisplayState,
  keyframeMessage,
  rateMessage,
  setDisplayMessage,
  smallKeyframeMessage,
  smallLayerMessage,
  streamMessage,
  type StreamSubscription,
} from './to-agent.js';
