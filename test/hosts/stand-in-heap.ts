import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';

/** What the host tells V8 after its start, in order; it is told all the same. */
export const toldV8: string[] = [];

const tell = v8.setFlagsFromString;
v8.setFlagsFromString = (flags) => {
  toldV8.push(flags);
  tell(flags);
};
syncBuiltinESMExports();
