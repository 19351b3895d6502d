/** The sandbox in this process, as the service of a test; the client under test shares no code with it. */
import { afterEach } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/server.ts';
import { testHost } from '../run.ts';

export interface Service extends Sandbox {
  /** What a user of the service has in the environment. */
  readonly env: Readonly<Record<string, string>>;
}

const open: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

/** Starts a sandbox that ends with the test; without limits unless `options` say otherwise. */
export async function startService(options: Partial<SandboxOptions> = {}): Promise<Service> {
  const { sleep: _, ...clock } = testHost();
  const sandbox = await startSandbox({ clock: { ...clock, sleep: realSleep }, plan: 'enterprise', ...options });
  open.push(sandbox);
  const env = { RISKCLI_BASE_URL: sandbox.baseUrl, RISKCLI_API_KEY: sandbox.keys.working };
  return { ...sandbox, requests: sandbox.requests, env };
}

const realSleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
