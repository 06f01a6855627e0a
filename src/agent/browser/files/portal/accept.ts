/** Kinds of files of which Chromium lists all extensions: a type in their place lets phones offer their camera. */
const KINDS = [
  {
    type: 'image/*',
    members: /^\.(apng|avif|bmp|gif|ico|jfif|jpe|jpe?g|jxl|pjp|pjpeg|png|svgz?|tiff?|webp|xbm)$/,
    marks: ['.bmp', '.gif', '.jpg', '.png', '.webp'],
  },
  {
    type: 'audio/*',
    members: /^\.(aac|flac|m4a|m4b|mp3|mpga|oga|ogg|opus|wav|weba)$/,
    marks: ['.flac', '.mp3', '.wav', '.weba'],
  },
  {
    type: 'video/*',
    members: /^\.(avi|m4v|mkv|mov|mp4|mpe?g|ogm|ogv|webm)$/,
    marks: ['.mp4', '.ogv', '.webm'],
  },
];

const EXTENSION = /^\*(\.[^.*?[\]\s,]+)$/;
const ACCEPT_MAX = 1000;

/** What a dialog's filter lets pass, as in the `accept` attribute of an input; `''`: anything. */
export function acceptOf(globs: readonly string[]): string {
  const extensions = globs.map(glob => EXTENSION.exec(plain(glob))?.[1]);
  // A pattern that accept cannot express lets others pass, too.
  if (extensions.includes(undefined)) return '';
  let names = [...new Set(extensions as string[])];
  for (const { type, members, marks } of KINDS) {
    if (!marks.every(mark => names.includes(mark))) continue;
    names = [type, ...names.filter(name => !members.test(name))];
  }
  const accept = names.join(',');
  return accept.length > ACCEPT_MAX ? '' : accept;
}

/** `*.[pP][dD][fF]` as `*.pdf`. */
const plain = (glob: string) => glob.replace(/\[(.)[^\]]*\]/gu, '$1').toLowerCase();
