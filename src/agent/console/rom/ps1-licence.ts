/** What a disc has in its fifth sector, by which BIOS and emulators tell the discs of the ps1 from others. */
export const licence = (pal: boolean) =>
  Buffer.from(
    `${' '.repeat(10)}Licensed  by${' '.repeat(10)}Sony Computer Entertainment ${pal ? 'Euro pe   ' : 'Amer  ica '}`,
  );
