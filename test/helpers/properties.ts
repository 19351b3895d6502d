/**
 * fast-check, with values that are the same in each run: a change is judged by what it changes. `RISKCLI_SEED=$RANDOM npm
 * test` draws others.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.RISKCLI_SEED ?? 1) });

export { fc };
