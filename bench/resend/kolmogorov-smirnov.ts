/** Terms of the series that are added up; later ones are below the precision of a number. */
const TERMS = 100;

/**
 * Two-sample Kolmogorov-Smirnov test by the limit distribution, accurate from about twenty values
 * each (Press et al., Numerical Recipes, 3rd edition, sections 6.14.12 and 14.3.3; the correction
 * for finite samples is by M. A. Stephens, Journal of the Royal Statistical Society B 32, 1970).
 * @returns `d`, the largest distance between the two distributions, and `p`, the probability of
 * that distance or a larger one between two samples from the same source.
 */
export function kolmogorovSmirnov(
  first: readonly number[],
  second: readonly number[],
): { readonly d: number; readonly p: number } {
  const [a, b] = [first, second].map((sample) => sample.toSorted((x, y) => x - y)) as [
    number[],
    number[],
  ];
  let [i, j, d] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const value = Math.min(a[i] as number, b[j] as number);
    while (a[i] === value) i += 1;
    while (b[j] === value) j += 1;
    d = Math.max(d, Math.abs(i / a.length - j / b.length));
  }
  const root = Math.sqrt((a.length * b.length) / (a.length + b.length));
  return { d, p: survival((root + 0.12 + 0.11 / root) * d) };
}

/** Probability of a value above `x` under Kolmogorov's distribution. */
function survival(x: number): number {
  // The series below does not converge near zero, where the probability is 1 to twelve digits.
  if (x < 0.2) return 1;
  let sum = 0;
  for (let k = 1; k <= TERMS; k += 1) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * x * x);
  return Math.min(1, Math.max(0, sum));
}
