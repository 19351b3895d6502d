/**
 * The gate of a run with one wallet. Its first request is under every limit and starts at once; what paces requests is loaded
 * only to repeat it, and is then told of it.
 */
import type { Clock } from '../../context.ts';
import type { Gate, Permit } from './gate.ts';
import type { Pacer, PacerOptions } from './pacer.ts';

export class FirstGate {
  private readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  private readonly pacing: PacerOptions;
  private isOpen = true;
  /** What the pacer has missed. */
  private missed: (pacer: Pacer) => void = () => {};
  private gate: Promise<Gate> | undefined;

  constructor(options: { readonly clock: Pick<Clock, 'monotonic' | 'sleep'>; readonly pacing: PacerOptions }) {
    this.clock = options.clock;
    this.pacing = options.pacing;
  }

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
    let sentAt = 0;
    return {
      cancel: () => {},
      sent: () => {
        sentAt = this.clock.monotonic();
      },
      answered: (observation) => {
        const now = this.clock.monotonic();
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
    const pacer = new Pacer(this.pacing);
    this.missed(pacer);
    return new Gate({ clock: this.clock, pacer });
  }
}
