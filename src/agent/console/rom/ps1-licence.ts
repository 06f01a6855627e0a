/** The text in a disc's fifth sector by which BIOS and emulators recognize ps1 discs. */
export const licence = (pal: boolean) =>
  Buffer.from(
    `${' '.repeat(10)}Licensed  by${' '.repeat(10)}Sony Computer Entertainment ${pal ? 'Euro pe   ' : 'Amer  ica '}`,
  );
