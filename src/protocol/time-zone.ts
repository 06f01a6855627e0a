/** Names of time zones in the IANA database; offsets such as `+02:00` are none. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/**
 * The spelling of a time zone's name that is also that of its file: `europe/berlin` is `Europe/Berlin`. null if the
 * name is not one of the IANA time zone database.
 */
export function canonicalTimeZone(name: string): string | null {
  if (!NAME.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
