import { join } from 'node:path';

/** A file of `examples/`, by its path in there. */
export const example = (name: string): string => join(import.meta.dirname, '../../examples', name);

/** The sheet of the examples, and every file that it names. */
export const SHEET = example('campaigns.csv');
export const MEDIA = [
  'media/kitchen-roll-spot.mp4',
  'media/kitchen-roll-spot.vtt',
  'media/garden-hose-spot.mp4',
  'media/garden-hose-spot.srt',
  'media/northwind-logo.png',
].map(example);
export const EVERYTHING = [SHEET, ...MEDIA];
