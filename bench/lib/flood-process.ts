/** Many viewers of one session that flood it, from the message `true` until `false`. Arguments: address, token, kind, viewers. */
import { Flood, type FloodKind } from './flood.js';

const [, , base = '', token = '', kind = 'all', viewers = '200'] = process.argv;
let flood: Flood | undefined;
process.on('message', (on: boolean) => {
  flood?.stop();
  flood = on ? new Flood({ base, token }, kind as FloodKind, Number(viewers)) : undefined;
  void (flood?.start() ?? Promise.resolve()).then(() => process.send?.({}));
});
process.send?.({});
// Ends with the benchmark, however that ends.
process.on('disconnect', () => process.exit());
