export {
  hasPostgres,
  type LocalPostgres as TestPostgres,
  SERVERS,
  startPostgres,
} from '../../main/hosts/cli/demo/postgres.ts';
