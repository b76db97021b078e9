import { plural } from './numbers.ts';

const WRITES: Readonly<Record<string, string>> = { create: 'Create', update: 'Change' };
const CALLS: Readonly<Record<string, string>> = {
  logo: 'Attach logo',
  upload: 'Upload video',
  submit: 'Submit for review',
  cancel: 'Cancel review',
};

/**
 * What one request of a plan does, for somebody who has never seen a request: "Create 3 keywords".
 *
 * @param verb of the plan; one that has no words yet is said as it is
 * @param one what it creates or changes, in the singular
 * @param count how many of them
 */
export function callText(verb: string, one: string, count: number): string {
  const write = WRITES[verb];
  return write === undefined ? (CALLS[verb] ?? verb) : `${write} ${plural(count, one)}`;
}
