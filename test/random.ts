import fc from 'fast-check';
import { SEED } from './share.ts';

// Before each file of tests: what it draws follows from the seed of the run, unless it names one of its own.
fc.configureGlobal({ seed: SEED });
