"""A PostgreSQL server for tests: Debian's programs, a private directory, a unix socket, nothing synced.

`python -m tests.postgresql` starts one by hand, prints the URL of an empty database and stops at Ctrl-C.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import psycopg

from store.engine import Database
from store.location import resolve
from store.schema import prepare

INSTALL = "needs PostgreSQL's server programs: apt install postgresql"
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",  # what was acknowledged survives the end of the server, not of the machine
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "200",
    "autovacuum": "off",
}
_DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
_TEMPLATE = "prepared"


def programs() -> Path | None:
    """Return where the newest server's programs are, None where there is none."""
    versions = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda it: int(it.parts[-3])
    )
    if versions:
        return versions[-1].parent
    found = shutil.which("initdb")
    return Path(found).parent if found else None


class Server:
    """A server that can be stopped and started again; its databases are made from one that is up to date.

    Args:
        home: an empty directory, which the server's user may write to.
        durable: what is acknowledged is kept through a crash, at the price of a sync.
    """

    def __init__(self, home: Path, *, durable: bool = False) -> None:
        found = programs()
        assert found is not None, INSTALL
        self._programs = found
        self.home = home
        self._made = 0
        self._run("initdb", "-D", self._data, "-U", "tests", "-A", "trust", "-E", "UTF8", "-N")
        with (home / "data" / "postgresql.conf").open("a") as file:
            settings = {
                **_SETTINGS,
                **(_DURABLE if durable else {}),
                "unix_socket_directories": str(home),
            }
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        self.start()
        self._prepared = False

    @property
    def _data(self) -> str:
        return str(self.home / "data")

    def start(self) -> None:
        """Start, and return when connections are taken."""
        self._run("pg_ctl", "-D", self._data, "-l", str(self.home / "log"), "-w", "start")

    def stop(self, how: str = "fast") -> None:
        """Stop; `immediate` is a crash, after which starting recovers from the log."""
        self._run("pg_ctl", "-D", self._data, "-m", how, "-w", "stop")

    def kill(self) -> None:
        """Kill the server and every process of it, as nothing that may clean up."""
        first = (self.home / "data" / "postmaster.pid").read_text().split()[0]
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for pid in (first, *children):
            with suppress(ProcessLookupError):  # one that saw its parent die was quicker
                os.kill(int(pid), signal.SIGKILL)
        while any(map(_runs, (first, *children))):
            os.sched_yield()
        # Where nobody reaps orphans, their numbers look alive to the next server.
        for left in (self.home / "data" / "postmaster.pid", *self.home.glob(".s.PGSQL.*")):
            left.unlink(missing_ok=True)

    def url(self, database: str) -> str:
        """Return the URL of a database."""
        return f"postgresql+psycopg://tests@/{database}?host={quote(str(self.home), safe='')}"

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        """Return a connection beside the store's own."""
        return psycopg.connect(host=str(self.home), user="tests", dbname=database, autocommit=True)

    @contextmanager
    def database(self, *, prepared: bool = True) -> Iterator[str]:
        """Make a database and return its URL; it is dropped at the end.

        Args:
            prepared: with the tables of an empty store, else with none.
        """
        if prepared and not self._prepared:
            self._prepare_template()
        self._made += 1
        name = f"store{self._made}"
        template = _TEMPLATE if prepared else "template0"
        with self.connect() as conn:
            conn.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            yield self.url(name)
        finally:
            with self.connect() as conn:
                conn.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def _prepare_template(self) -> None:
        with self.connect() as conn:
            conn.execute(f"CREATE DATABASE {_TEMPLATE} TEMPLATE template0")
        database = Database(resolve(self.url(_TEMPLATE)))
        prepare(database)
        database.close()
        self._prepared = True

    def _run(self, program: str, *arguments: str) -> None:
        # The server refuses to run as root; Debian's package brings a user for it.
        user = "postgres" if os.geteuid() == 0 else None
        subprocess.run(
            [str(self._programs / program), *arguments],
            check=True,
            cwd=self.home,
            user=user,
            group=user,
            extra_groups=[] if user else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )


def _runs(pid: str) -> bool:
    """Tell whether a process has not ended; one that nobody has reaped has."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


@contextmanager
def running(*, durable: bool = False) -> Iterator[Server]:
    """Run a server in a directory that is gone afterwards, with everything in it; see `Server`."""
    # Not in pytest's own: those only the present user may enter, and their paths are too long for a socket.
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp") as directory:
        if os.geteuid() == 0:
            os.chown(directory, pwd.getpwnam("postgres").pw_uid, -1)
        server = Server(Path(directory), durable=durable)
        try:
            yield server
        finally:
            with suppress(subprocess.CalledProcessError):  # a test left it stopped
                server.stop("immediate")


if __name__ == "__main__":
    with running() as server, server.database(prepared=False) as url:
        print(url, flush=True)
        with suppress(KeyboardInterrupt):
            signal.pause()
