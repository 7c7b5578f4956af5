/*
 * ns-3's TCP and queues less choices of their own, one by one, to see whether they are the whole
 * difference. The input's line `mended` names those that are taken away, or says `all`; ns-3's own
 * code runs but for what is named here:
 *
 *   threshold  ssthresh is half of FlightSize, or of cwnd if that is less (RFC 5681, equation 4),
 *              and not half of RFC 6675's pipe; a packet that is lost again does not lower it again
 *              (section 3.1)
 *   growth     by bytes acknowledged (RFC 3465), fractions kept, by one rule per ACK, and by the
 *              ACK that ends a timeout's repetitions or tells of SACK as well, too
 *   unfilled   a window that is not filled does not grow (RFC 7661; this is Weir's and Linux's)
 *   guesses    no SACK: duplicates inflate the window (RFC 5681, section 3.2; RFC 6582), and are
 *              not taken for segments that have come
 *   recover    no SACK: duplicates begin a recovery only above `recover` (RFC 6582, section 3.2,
 *              step 2)
 *   full-ack   the ACK that ends a recovery leaves min(ssthresh, FlightSize + SMSS) (RFC 6582, step
 *              3, option 1) and does not grow the window
 *   backoff    a timer that has been backed off stays so until a packet that was sent once is
 *              acknowledged (RFC 6298, note on 5.7)
 *   samples    every ACK of new data tells the round trip of the packet that drew it, if that was
 *              sent once, from the time it has left the host, as with timestamps (RFC 7323); the
 *              first is that of a full packet on the empty network
 *   ended      what still comes of a flow that has ended is not answered, as in Weir
 *   short      a window is a number of packets, and a short one is one of them (Linux)
 *   sack-size  an ACK is as long with SACK as without, and has one block, as in Weir: all that came
 *              around the packet that drew it (RFC 2018, section 4), and not what of that is among
 *              the last four blocks
 *   partial    SACK: a partial ACK repeats nothing of itself, and restarts the timer as any (RFC
 *              6298, 5.3)
 *   pipe       SACK: a packet that was repeated and then reported is in the network no more (RFC
 *              6675, SetPipe)
 *   next-seg   SACK: a recovery begins with the first packet that is missing (RFC 6675, section 5,
 *              step 4.3), repeats nothing above the highest SACK but by the rescue retransmission
 *              (NextSeg, rules 3 and 4), and begins if the first that is missing is lost (step 2),
 *              at once if the ACK that ends another says so (Linux)
 *   dctcp      RFC 8257: alpha before the cut, growth after it, losses as TCP's, at least two
 *              segments, marks of repeated packets echoed
 *   queue      a queue has bytes, the packet that is being sent counts, and one that has been sent
 *              in this very picosecond does not; marks by the same count
 *   ties       what comes to a node in one picosecond comes in the order of its links, and after
 *              what leaves it
 */
#pragma once
#include <set>
#include <sstream>
#include <string>

namespace ns3
{

inline std::set<std::string>&
AllMends()
{
    static std::set<std::string> names;
    return names;
}

inline void
SetMends(const std::string& words)
{
    std::istringstream list(words);
    for (std::string name; std::getline(list, name, ',');)
    {
        if (name != "none")
        {
            AllMends().insert(name);
        }
    }
}

inline bool
HasMends()
{
    return !AllMends().empty();
}

inline bool
Mends(const char* name)
{
    return AllMends().count("all") > 0 || AllMends().count(name) > 0;
}

} // namespace ns3
