/** The queues of switches and the links, mended. */
#pragma once
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <map>

namespace ns3
{

class WholeQueue : public DropTailQueue<Packet>
{
  public:
    uint64_t limit = 0;
    /** 0: no marks. */
    uint64_t mark = 0;
    uint64_t marks = 0;
    DataRate rate;

    static TypeId GetTypeId()
    {
        static TypeId id =
            TypeId("WholeQueue").SetParent<DropTailQueue<Packet>>().AddConstructor<WholeQueue>();
        return id;
    }

    bool Enqueue(Ptr<Packet> packet) override
    {
        const uint64_t held = GetNBytes() + (Simulator::Now() < m_free ? m_busyBytes : 0);
        if (held + packet->GetSize() > limit)
        {
            DropBeforeEnqueue(packet);
            return false;
        }
        if (mark > 0 && held > mark)
        {
            Mark(packet);
        }
        return DropTailQueue<Packet>::Enqueue(packet);
    }

    Ptr<Packet> Dequeue() override
    {
        Ptr<Packet> packet = DropTailQueue<Packet>::Dequeue();
        if (packet)
        {
            m_busyBytes = packet->GetSize();
            m_free = Simulator::Now() + rate.CalculateBytesTxTime(m_busyBytes);
        }
        return packet;
    }

  private:
    void Mark(Ptr<Packet> packet)
    {
        PppHeader ppp;
        Ipv4Header ip;
        packet->RemoveHeader(ppp);
        packet->RemoveHeader(ip);
        if (ip.GetEcn() != Ipv4Header::ECN_NotECT)
        {
            ip.SetEcn(Ipv4Header::ECN_CE);
            marks++;
        }
        packet->AddHeader(ip);
        packet->AddHeader(ppp);
    }

    uint32_t m_busyBytes = 0;
    Time m_free;
};

NS_OBJECT_ENSURE_REGISTERED(WholeQueue);

/** Arrivals wait until all else of their picosecond has happened, and then go in order. */
class OrderedChannel : public PointToPointChannel
{
  public:
    uint32_t number = 0;
    Time delay;

    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("OrderedChannel")
                               .SetParent<PointToPointChannel>()
                               .AddConstructor<OrderedChannel>();
        return id;
    }

    bool TransmitStart(Ptr<const Packet> packet,
                       Ptr<PointToPointNetDevice> from,
                       Time duration) override
    {
        Ptr<PointToPointNetDevice> to = GetPointToPointDevice(0);
        if (to == from)
        {
            to = GetPointToPointDevice(1);
        }
        Simulator::ScheduleWithContext(to->GetNode()->GetId(),
                                       duration + delay,
                                       &OrderedChannel::Arrive,
                                       number,
                                       to,
                                       packet->Copy());
        return true;
    }

  private:
    /** Of one node, by link. */
    using Arrivals = std::map<uint32_t, std::pair<Ptr<PointToPointNetDevice>, Ptr<Packet>>>;

    static Arrivals& Waiting(uint32_t node)
    {
        static std::map<uint32_t, Arrivals> waiting;
        return waiting[node];
    }

    static void Arrive(uint32_t link, Ptr<PointToPointNetDevice> to, Ptr<Packet> packet)
    {
        const uint32_t node = to->GetNode()->GetId();
        if (Waiting(node).empty())
        {
            Simulator::ScheduleNow(&OrderedChannel::TakeAll, node);
        }
        Waiting(node)[link] = {to, packet};
    }

    static void TakeAll(uint32_t node)
    {
        const Arrivals arrivals = std::move(Waiting(node));
        Waiting(node).clear();
        for (const auto& [link, arrival] : arrivals)
        {
            arrival.first->Receive(arrival.second);
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(OrderedChannel);

} // namespace ns3
