import { annexB, NalType, nalType, nalUnits } from '../../../h264/nal.js';
import { parseSps } from '../../../h264/sps.js';
import { withoutReordering } from '../../../h264/vui.js';

/** The parameter sets in force: they stand before every key frame. */
export interface ParameterSets {
  /** In Annex B. */
  readonly bytes: Uint8Array;
  /** Size of the picture in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Reads an encoder's configuration packet; null if it has no usable sequence parameter set. */
export function parameterSets(config: Uint8Array): ParameterSets | null {
  const units = nalUnits(config);
  const unit = units.find(it => nalType(it) === NalType.sps);
  const sps = unit && parseSps(unit);
  if (!sps) return null;
  try {
    const kept = units.map(it => (it === unit ? withoutReordering(it, sps) : it));
    return { bytes: annexB(kept), width: sps.width, height: sps.height };
  } catch {
    return null;
  }
}
