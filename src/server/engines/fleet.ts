import type { Region } from '../../protocol/generated/schemas.js';
import type { Engine } from './engine.js';

/** One engine and the regions it serves. */
export interface FleetMember {
  engine: Engine;
  regions: readonly Region[];
  /** For logs; holds no secret. */
  name: string;
}

/** All engines; regions with the same address share one. */
export class Fleet {
  readonly members: readonly FleetMember[];

  constructor(members: readonly FleetMember[]) {
    this.members = members;
  }

  /** The region of starts that name none: NA where there is one, otherwise the first that was configured. */
  get defaultRegion(): Region {
    return this.at('NA') === null ? (this.members[0]?.regions[0] ?? 'NA') : 'NA';
  }

  /** The engine of a region; null: the region has no host. */
  at(region: Region): Engine | null {
    return this.members.find(({ regions }) => regions.includes(region))?.engine ?? null;
  }
}
