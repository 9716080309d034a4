/**
 * Lines that a start prints about what an operator might not expect.
 *
 * @param about.url address that the system answers on.
 * @param about.publicUrl address in mails and canonical links.
 * @param about.samples whether the samples are loaded.
 */
export function startNotes(about: { url: string; publicUrl: string; samples: boolean }): string[] {
  const { url, publicUrl, samples } = about;
  return [
    ...(publicUrl === url ? [] : [`Public:   ${publicUrl} (in mails and canonical links)`]),
    ...(samples
      ? [
          "Samples:  some of the reports are made up",
          "          npm run sample:clear removes them; with SAMPLE_DATA=none at the first start there are none",
        ]
      : []),
  ];
}
