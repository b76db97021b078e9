export {
  hasPostgres,
  type LocalPostgres as TestPostgres,
  NOBODY,
  runnable,
  SERVERS,
  startPostgres,
} from '../../main/hosts/cli/demo/postgres.ts';
