import type Docker from 'dockerode';
import { sessionImages } from '../../model/index.js';
import type { ImageInfo } from '../engine.js';
import { statusOf } from './client.js';
import { ImageLabel } from './names.js';

/** The engine's images whose names begin with `prefix`; missing ones are left out. */
export async function imagesOf(docker: Docker, prefix: string): Promise<ImageInfo[]> {
  const found = await Promise.all(sessionImages.map(image => inspect(docker, prefix, image)));
  return found.filter(info => info !== null);
}

async function inspect(docker: Docker, prefix: string, image: string): Promise<ImageInfo | null> {
  const name = `${prefix}/${image}`;
  try {
    const { RepoTags: tags, Config: config } = await docker.getImage(`${name}:latest`).inspect();
    const labels = config.Labels as Record<string, string> | null;
    const versioned = tags.find(tag => tag.startsWith(`${name}:`) && tag !== `${name}:latest`);
    const packagesAt = Date.parse(labels?.[ImageLabel.packagesOf] ?? '');
    return {
      image,
      tag: versioned?.slice(name.length + 1) ?? null,
      packagesAt: Number.isNaN(packagesAt) ? null : packagesAt,
      program: labels?.[ImageLabel.program] || null,
    };
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}
