/** A share as a bar beside its figure. */
import { type Element, h } from '../markup.ts';
import { round } from './frame.ts';

/** A bar of `count` in `total`, as wide as its column. */
export function shareBar(count: number, total: number): Element {
  const width = total === 0 ? 0 : round((100 * count) / total, 100);
  return h(
    'svg',
    {
      class: 'share',
      viewBox: '0 0 100 10',
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
      width: 100,
      height: 10,
    },
    h('rect', { class: 'track', width: 100, height: 10 }),
    h('rect', { class: 'fill', width: Math.max(width, count > 0 ? 0.5 : 0), height: 10 }),
  );
}
