/** Texts about the proof of a connection, step by step. */
export const enConnect = {
  title: 'Connection test',
  steps: {
    addresses: 'Addresses are valid',
    key: 'Private key works',
    token: 'Access token can be read',
    answer: 'Service responds',
    clock: 'Computer clock is correct',
    access: 'Credentials have access to this advertiser',
  },
  states: { done: 'passed', failed: 'failed', open: 'not tested', running: 'testing' },
} as const;
