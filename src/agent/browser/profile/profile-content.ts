import type { ProfileContent } from '../../profile/files.js';
import { PROFILE_FOLDER } from '../paths.js';

/** What is kept, directly below Chromium's data folder. */
const TOP: readonly string[] = ['Default', 'Local State'];

/** Recreated by Chromium. */
const CACHES = new Set([
  'Cache',
  'Code Cache',
  'GPUCache',
  'DawnCache',
  'DawnGraphiteCache',
  'DawnWebGPUCache',
  'GrShaderCache',
  'GraphiteDawnCache',
  'ShaderCache',
  'Shared Dictionary',
  'blob_storage',
  'optimization_guide_hint_cache_store',
  'optimization_guide_model_store',
  'BudgetDatabase',
  'Safe Browsing Network',
  'Site Characteristics Database',
  'Segmentation Platform',
  'LOCK',
  'LOG',
  'LOG.old',
]);

/** Which parts of Chromium's data folder belong to a profile. */
export const chromiumContent = (folder = PROFILE_FOLDER): ProfileContent => ({
  folder,
  keeps(path) {
    const parts = path.split('/');
    return TOP.includes(parts[0] ?? '') && !parts.some(part => CACHES.has(part));
  },
});
