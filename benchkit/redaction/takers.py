"""Programs that take credentials otherwise than by the name of an option."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

from benchkit import registry

if TYPE_CHECKING:
    from benchkit.tool import Tool


@dataclass(frozen=True, eq=False, kw_only=True)
class Taker:
    """How a program takes credentials.

    Attributes:
        credentials: Per option of one letter that takes one what stands in its value, nothing
            where that may be anything.
        switches: Letters of options without a value, which may stand before these in one word.
        scripted: Whether what stands behind `--` is handed to a script.
        attached: Whether the value stands in the option's own word only: `-pVALUE`.
        ends: Whether its arguments end where another of these programs is named.
        leads: Whether its own options end where the command begins that it calls.
        login: Whether an argument of its own may be `user/password`, a host behind it.
        behind: The command of the program which takes them, where others have such options, too.
    """

    credentials: Mapping[str, str] = field(default_factory=dict)
    switches: str = ""
    scripted: bool = False
    attached: bool = False
    ends: bool = False
    leads: bool = False
    login: bool = False
    behind: str = ""


#: What prepares or watches a server, or calls it, and is no load generator.
_CLIENTS: Final[Mapping[Taker, str]] = {
    Taker(credentials={"u": ":", "U": ":", "E": ":", "b": "="}, switches="sSkLvifgNGIO"): "curl",
    Taker(credentials={"a": ""}, switches="vhbdjfISF", ends=True): "http https xh xhs",
    Taker(credentials={"p": ""}, switches="ve", ends=True, leads=True): "sshpass",
    Taker(credentials={"p": ""}, switches="ABCEHNXbfnqrstvw", attached=True): """
        mysql mysqld mysqladmin mysqlbinlog mysqlcheck mysqldump mysqlimport mysqlshow mysqlslap
        mariadb mariadbd mariadb-admin mariadb-check mariadb-dump mariadb-import mariadb-slap
    """,
    Taker(credentials={"a": ""}): """
        redis-cli redis-benchmark valkey-cli valkey-benchmark keydb-cli keydb-benchmark
        memtier_benchmark
    """,
    Taker(credentials={"p": ""}): """
        mongo mongosh mongodump mongoexport mongoimport mongorestore mongostat mongotop cqlsh mycli
        rabbitmqadmin
    """,
    Taker(credentials={"P": ""}): "sqlcmd bcp isql mosquitto_pub mosquitto_sub ipmitool",
    Taker(login=True): "sqlplus sqlldr expdp impdp rman",
    Taker(credentials={"A": "", "X": "", "c": ""}): """
        snmpget snmpgetnext snmpwalk snmpset snmpbulkget snmpbulkwalk snmptable snmptrap snmpinform
    """,
    Taker(credentials={"w": ""}): "ldapadd ldapdelete ldapmodify ldapsearch ldapwhoami",
    Taker(credentials={"U": "%"}): "smbclient",
    Taker(credentials={"p": ""}, behind="login", ends=True): """
        docker podman nerdctl buildah skopeo crane oras helm az oc
    """,
}


@cache
def takers() -> Mapping[str, Taker]:
    """Return the programs that take credentials, by their names, load generators among them."""
    return dict(_takers())


def _takers() -> Iterator[tuple[str, Taker]]:
    for taker, names in _CLIENTS.items():
        yield from ((name, taker) for name in names.split())
    for name, tool in registry.programs().items():
        if tool.credentials or tool.scripted:
            yield name, _taker(tool)


def _taker(tool: Tool) -> Taker:
    return Taker(credentials=tool.credentials, switches=tool.switches, scripted=tool.scripted)
