export { DisplayControl } from './display.js';
export { EncoderReport } from './encoder-report.js';
export { Fanout } from './fanout.js';
export { MediaLimits } from './media-limits.js';
export { combinedSubscription, type MediaSink, type MediaSubscription } from './media-sink.js';
export type { MediaMetrics } from './metrics.js';
export { VideoSender } from './video-sender.js';
