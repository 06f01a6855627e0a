/** A plain key frame of 320x240 pixels, H.264 Main with CABAC, 4:2:0, which a pipeline must decode to be chosen. */
export const testFrame420 = () =>
  decode(
    'AAAAAWdNQA3aBQfpqAgIMgAAAwACAAADAPEeKFVAAAAAAWjuD8gAAAFliIQ//oQfwKO65yRTPrsmWHFfIXhlm4QS9AQ/AAHmE29k' +
      '+fL4AMACiAAAp4uZ5tc3NOIyPN0P',
  );

/** The same in 4:4:4, profile High 4:4:4 Predictive. */
export const testFrame444 = () =>
  decode(
    'AAAAAWf0AA2RloFB+wFqAgICgAAAAwCAAAAeR4oVUAAAAAFozgRGSAAAAWWIhDokUAAQH4oAAgPRQABADk8nk8nk8nk8nk8nk8nk' +
      '8nk8nk8nk9evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr16' +
      '9evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169e' +
      'vXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evXr169evX' +
      'r169evXr169evXr169evXr169evXr169evXr4A==',
  );

const decode = (base64: string) => Uint8Array.from(atob(base64), character => character.charCodeAt(0));
