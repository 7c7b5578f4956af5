/** The window, and what a loss and a mark do to it: ns-3's congestion controls, mended. */
#pragma once
#include "mends.h"

#include "ns3/internet-module.h"

#include <algorithm>

namespace ns3
{

/** What ns-3's whole bytes leave out, and what the socket says of the ACK that is being read. */
struct RfcWindow
{
    double exact = 0;
    double exactThreshold = 0;
    uint32_t acked = 0;
    /** FlightSize, for ssthresh. */
    double flight = 0;
    /** In the network, what this ACK acknowledges left out. */
    uint32_t pipe = 0;
    /** This ACK grows nothing. */
    bool isMute = false;

    double Threshold(Ptr<const TcpSocketState> state)
    {
        if (uint32_t(exactThreshold) != state->m_ssThresh)
        {
            exactThreshold = state->m_ssThresh;
        }
        return exactThreshold;
    }

    double Cwnd(Ptr<const TcpSocketState> state)
    {
        if (uint32_t(exact) != state->m_cWnd)
        {
            const bool isThreshold = state->m_cWnd == state->m_ssThresh;
            exact = isThreshold ? Threshold(state) : double(state->m_cWnd);
        }
        return exact;
    }

    void SetCwnd(Ptr<TcpSocketState> state, double bytes)
    {
        exact = bytes;
        state->m_cWnd = uint32_t(bytes);
    }

    void SetThreshold(Ptr<TcpSocketState> state, double bytes)
    {
        exactThreshold = bytes;
        state->m_ssThresh = uint32_t(bytes);
    }

    void Grow(Ptr<TcpSocketState> state)
    {
        const double window = Cwnd(state);
        const double segment = state->m_segmentSize;
        const double filled = pipe + acked;
        if (window < Threshold(state))
        {
            if (!Mends("unfilled") || window < 2 * filled)
            {
                SetCwnd(state, window + std::min<double>(acked, segment));
            }
        }
        else if (!Mends("unfilled") || filled + 2 * segment > window)
        {
            SetCwnd(state, window + segment * acked / window);
        }
    }
};

template <class Base>
class RfcOps : public Base, public RfcWindow
{
  public:
    void IncreaseWindow(Ptr<TcpSocketState> state, uint32_t segments) override
    {
        if (isMute)
        {
            return;
        }
        if (Mends("growth"))
        {
            Grow(state);
        }
        else
        {
            Base::IncreaseWindow(state, segments);
        }
    }

  protected:
    uint32_t HalfFlight(Ptr<const TcpSocketState> state)
    {
        exactThreshold = std::max<double>(2 * state->m_segmentSize, flight / 2);
        return uint32_t(exactThreshold);
    }
};

class RfcReno : public RfcOps<TcpNewReno>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("RfcReno").SetParent<TcpNewReno>().AddConstructor<RfcReno>();
        return id;
    }

    uint32_t GetSsThresh(Ptr<const TcpSocketState> state, uint32_t inFlight) override
    {
        return Mends("threshold") ? HalfFlight(state) : TcpNewReno::GetSsThresh(state, inFlight);
    }

    Ptr<TcpCongestionOps> Fork() override
    {
        return CopyObject<RfcReno>(this);
    }
};

/** The receiver's half is ns-3's; the sender's is `RfcSocket::OnEcho`. */
class RfcDctcp : public RfcOps<TcpDctcp>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("RfcDctcp").SetParent<TcpDctcp>().AddConstructor<RfcDctcp>();
        return id;
    }

    uint32_t GetSsThresh(Ptr<const TcpSocketState> state, uint32_t inFlight) override
    {
        return Mends("dctcp") ? HalfFlight(state) : TcpDctcp::GetSsThresh(state, inFlight);
    }

    void PktsAcked(Ptr<TcpSocketState> state, uint32_t segments, const Time& rtt) override
    {
        if (!Mends("dctcp"))
        {
            TcpDctcp::PktsAcked(state, segments, rtt);
        }
    }

    Ptr<TcpCongestionOps> Fork() override
    {
        return CopyObject<RfcDctcp>(this);
    }
};

NS_OBJECT_ENSURE_REGISTERED(RfcReno);
NS_OBJECT_ENSURE_REGISTERED(RfcDctcp);

} // namespace ns3
