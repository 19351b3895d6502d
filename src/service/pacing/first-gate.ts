/**
 * The gate of a run with one wallet. Its first request is under every limit and starts at once; what paces requests is loaded
 * only to repeat it, and is then told of it.
 */
import type { Clock } from '../../context.ts';
import type { Gate, Permit } from './gate.ts';
import type { Pacer, PacerOptions } from './pacer.ts';

export class FirstGate {
  private isOpen = true;
  /** What the pacer has missed. */
  private missed: (pacer: Pacer) => void = () => {};
  private gate: Promise<Gate> | undefined;

  constructor(
    private readonly options: { readonly clock: Pick<Clock, 'monotonic' | 'sleep'>; readonly pacing: PacerOptions },
  ) {}

  /** As the method of Gate. */
  async enter(call: Parameters<Gate['enter']>[0]): Promise<Permit> {
    call.signal?.throwIfAborted();
    if (!this.isOpen) {
      this.gate ??= this.openGate();
      return (await this.gate).enter(call);
    }
    this.isOpen = false;
    return this.createPermit();
  }

  private createPermit(): Permit {
    const { clock } = this.options;
    let sentAt = 0;
    return {
      cancel: () => {},
      sent: () => {
        sentAt = clock.monotonic();
      },
      answered: (observation) => {
        const now = clock.monotonic();
        this.missed = (pacer) => {
          pacer.take(sentAt);
          pacer.sent(sentAt);
          pacer.answered(sentAt, observation, now);
        };
      },
    };
  }

  private async openGate(): Promise<Gate> {
    const { Gate } = await import('./gate.ts');
    const { Pacer } = await import('./pacer.ts');
    const { clock, pacing } = this.options;
    const pacer = new Pacer(pacing);
    this.missed(pacer);
    return new Gate({ clock, pacer });
  }
}
