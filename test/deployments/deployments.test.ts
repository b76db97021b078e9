import { expect, test } from 'vitest';
import { share } from '../share.ts';
import { DEPLOYMENTS } from './deployments.ts';
import { doWholeJob } from './whole-job.ts';

/** Steps at which six campaigns are compared: with the calls beyond the document three more than without. */
const COMPARED = { documented: 6 * 6, extended: 9 * 6 };

const deployments = share('deployments', DEPLOYMENTS, 20);

test.each(deployments.map((deployment) => [named(deployment), deployment] as const))(
  'the whole job on a service with %s: every state is the one that the service has',
  async (_name, deployment) => {
    const done = await doWholeJob(deployment);
    expect(done.differences).toEqual([]);
    const canPause = deployment.canPause ?? deployment.extensions;
    expect(done.compared).toBe(canPause ? COMPARED.extended : COMPARED.documented);
    expect(done.found).toEqual(deployment.found ?? []);
    expect(done.notOffered).toEqual(canPause ? [] : ['not-offered']);
    expect(done.reportRows).toBeGreaterThan(0);
  },
  120_000,
);

function named({ name, extensions }: (typeof DEPLOYMENTS)[number]): string {
  return `${name}, ${extensions ? 'with calls beyond the document' : 'documented calls only'}`;
}
